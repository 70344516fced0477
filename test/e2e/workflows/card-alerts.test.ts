import { Cleanup } from '../../../playground/tools/cleanup.ts';
import { recordContractOfEachTest } from '../../support/contract';
import { testAutoFreeze } from './autoFreeze.ts';
import { testSlackAlert } from './slackAlert.ts';
import { openStage, type WorkflowStage } from './stage.ts';

const contract = recordContractOfEachTest('checked');
const cleanup = new Cleanup();
let stage: WorkflowStage;

// One n8n serves both workflows: a start takes half a minute.
beforeAll(async () => {
	stage = await openStage(cleanup, contract);
}, 600_000);

afterAll(() => cleanup.run(), 180_000);

jest.setTimeout(400_000);

describe('"Auto-freeze on suspicious event"', () => testAutoFreeze(() => stage));

describe('"Slack alert on declines"', () => testSlackAlert(() => stage));
