import { testDailyReconciliation } from './dailyReconciliation.ts';
import { testFreezeEveryCard } from './freezeEveryCard.ts';
import { testSpendQuestions } from './spendQuestions.ts';
import { useTestEnvironment } from './environment.ts';

const environment = useTestEnvironment();

describe('"Daily reconciliation"', () => testDailyReconciliation(environment));

describe('"Questions on spend, answered by an AI agent"', () => testSpendQuestions(environment));

// Last, as it replaces the company's key: a customer has one at a time. Each of the tests can run alone.
describe('"Freeze every card at once"', () => testFreezeEveryCard(environment));
