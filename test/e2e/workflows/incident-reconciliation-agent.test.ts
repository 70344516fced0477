import { testDailyReconciliation } from './dailyReconciliation.ts';
import { testFreezeEveryCard } from './freezeEveryCard.ts';
import { testSpendQuestions } from './spendQuestions.ts';
import { stageOfFile } from './stage.ts';

const stage = stageOfFile();

describe('"Daily reconciliation"', () => testDailyReconciliation(stage));

describe('"Questions on spend, answered by an AI agent"', () => testSpendQuestions(stage));

// Last, as it replaces the company's key: a customer has one at a time. Each of the tests can run alone.
describe('"Freeze every card at once"', () => testFreezeEveryCard(stage));
