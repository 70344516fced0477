import { cardPicker } from './cardPicker.ts';
import { credentialDialogs } from './credentialDialogs.ts';
import { forms } from './forms.ts';
import { icons } from './icons.ts';
import { nodeCreator } from './nodeCreator.ts';
import { outputPanel } from './outputPanel.ts';
import { useEditorEnvironment } from './environment.ts';
import { trigger } from './trigger.ts';

const opened = useEditorEnvironment();

jest.setTimeout(600_000);

describe('the node creator', () => nodeCreator(opened));
describe('icons', () => icons(opened));
describe('the form of', () => forms(opened));
describe('the card picker', () => cardPicker(opened));
describe('the output panel', () => outputPanel(opened));
describe('the credential dialog', () => credentialDialogs(opened));
describe('the trigger', () => trigger(opened));
