import { Cleanup } from '../../../harness/tools/cleanup.ts';
import { cardPicker } from './cardPicker.ts';
import { credentialDialogs } from './credentialDialogs.ts';
import { forms } from './forms.ts';
import { icons } from './icons.ts';
import { nodeCreator } from './nodeCreator.ts';
import { outputPanel } from './outputPanel.ts';
import { type EditorStage, openEditorStage } from './stage.ts';
import { trigger } from './trigger.ts';

const cleanup = new Cleanup();
let stage: EditorStage;

// One n8n and one browser serve all parts: a start takes half a minute.
beforeAll(async () => {
	stage = await openEditorStage(cleanup);
}, 600_000);

afterAll(() => cleanup.run(), 180_000);

jest.setTimeout(600_000);

const opened = () => stage;

describe('the node creator', () => nodeCreator(opened));
describe('icons', () => icons(opened));
describe('the form of', () => forms(opened));
describe('the card picker', () => cardPicker(opened));
describe('the output panel', () => outputPanel(opened));
describe('the credential dialog', () => credentialDialogs(opened));
describe('the trigger', () => trigger(opened));
