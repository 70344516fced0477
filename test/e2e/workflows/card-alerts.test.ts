import { testAutoFreeze } from './autoFreeze.ts';
import { testSlackAlert } from './slackAlert.ts';
import { useTestEnvironment } from './environment.ts';

const environment = useTestEnvironment();

describe('"Auto-freeze on suspicious event"', () => testAutoFreeze(environment));

describe('"Slack alert on declines"', () => testSlackAlert(environment));
