import { Cleanup } from '../../../playground/tools/cleanup.ts';
import { recordContractOfEachTest } from '../../support/contract';
import { testDailyReconciliation } from './dailyReconciliation.ts';
import { testFreezeEveryCard } from './freezeEveryCard.ts';
import { testSpendQuestions } from './spendQuestions.ts';
import { openStage, type WorkflowStage } from './stage.ts';

const contract = recordContractOfEachTest('checked');
const cleanup = new Cleanup();
let stage: WorkflowStage;

// One n8n serves all three workflows: a start takes half a minute.
beforeAll(async () => {
	stage = await openStage(cleanup, contract);
}, 600_000);

afterAll(() => cleanup.run(), 180_000);

jest.setTimeout(400_000);

describe('"Daily reconciliation"', () => testDailyReconciliation(() => stage));

describe('"Questions on spend, answered by an AI agent"', () => testSpendQuestions(() => stage));

// The last one, as it replaces the company's key: a customer has one at a time.
describe('"Freeze every card at once"', () => testFreezeEveryCard(() => stage));
