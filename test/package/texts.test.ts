import type { INodeProperties } from 'n8n-workflow';

import { CardPlatformApi } from '../../credentials/CardPlatformApi.credentials';
import { CardPlatformWebhookApi } from '../../credentials/CardPlatformWebhookApi.credentials';
import { RESOURCES } from '../../nodes/CardPlatform/actions/table';
import { CardPlatform } from '../../nodes/CardPlatform/CardPlatform.node';
import { CardPlatformPollingTrigger } from '../../nodes/CardPlatform/CardPlatformPollingTrigger.node';
import { CardPlatformTrigger } from '../../nodes/CardPlatform/CardPlatformTrigger.node';

// What a person reads in the editor.

const nodes = [new CardPlatform(), new CardPlatformTrigger(), new CardPlatformPollingTrigger()];
const forms = [
	...nodes.map(({ description }) => description.properties),
	...[new CardPlatformApi(), new CardPlatformWebhookApi()].map(({ properties }) => properties),
];

/** A field, an option, or a group of fields. */
type Entry = Partial<INodeProperties> & { values?: INodeProperties[] };

const entriesIn = (entries: Entry[]): Entry[] =>
	entries.flatMap((entry) => [
		entry,
		...entriesIn([...((entry.options ?? []) as Entry[]), ...(entry.values ?? [])]),
	]);

const entries = entriesIn(forms.flat());

test('a label is not cut in a panel of n8n’s usual width', () => {
	const labels = entries.flatMap(({ displayName = '', type }) =>
		type === 'notice' || type === 'hidden' ? [] : displayName,
	);
	expect([...new Set(labels)].filter((label) => label.length > 24)).toEqual([]);
});

test('a form has one notice', () => {
	for (const { description } of nodes) {
		const shown = description.properties.filter(
			({ type, displayOptions }) => type === 'notice' && !displayOptions?.show?.['@tool'],
		);
		const forms = shown.map(({ displayOptions }) => JSON.stringify(displayOptions));
		expect(forms).toEqual([...new Set(forms)]);
	}
});

test('resources and operations are in alphabetical order', () => {
	for (const entries of [RESOURCES, ...RESOURCES.map(({ operations }) => operations)]) {
		const names = entries.map(({ name }) => name);
		expect(names).toEqual([...names].sort());
	}
});

test('the names of triggers, and of their choices, are in alphabetical order', () => {
	for (const { description } of nodes.slice(1)) {
		for (const { options } of description.properties.filter(
			({ type }) => type !== 'multiOptions',
		)) {
			const names = (options ?? []).flatMap((each) => ('displayName' in each ? [] : each.name));
			if (names.length > 2) expect(names).toEqual([...names].sort());
		}
	}
	expect(nodes.filter(({ description }) => description.description.endsWith('.'))).toEqual([]);
});
