import { testAutoFreeze } from './autoFreeze.ts';
import { testSlackAlert } from './slackAlert.ts';
import { stageOfFile } from './stage.ts';

const stage = stageOfFile();

describe('"Auto-freeze on suspicious event"', () => testAutoFreeze(stage));

describe('"Slack alert on declines"', () => testSlackAlert(stage));
