import { randomUUID } from 'node:crypto';

import { cardNode, triggerNode, workflowOf } from '../../harness/n8n/workflow.ts';
import { imagePaths, onPage, untilPasses, useEditorEnvironment } from '../support/n8n/editor.ts';

const environment = useEditorEnvironment();

jest.setTimeout(600_000);

// Tests that both themes show the icons that were drawn for them.
describe('icons', () => {
	it.each([
		['light', /\/cardPlatform\.svg$/],
		['dark', /\/cardPlatform\.dark\.svg$/],
	] as const)(
		'are loaded on the canvas, the right ones in %s colours',
		async (colorScheme, file) => {
			const { editor, apiCredential } = environment();
			const nodes = [
				triggerNode('Event', undefined),
				cardNode('Card', { resource: 'card', operation: 'get' }, apiCredential),
			];
			const id = await editor.n8n.addWorkflow(workflowOf(`Icons ${colorScheme}`, nodes));
			await onPage(
				editor,
				`/workflow/${id}`,
				async (page) => {
					await page.getByTestId('canvas-node').nth(1).waitFor();
					const files = await imagePaths(page, '[data-test-id=canvas-node] img', nodes.length);
					expect(files).toEqual([expect.stringMatching(file), expect.stringMatching(file)]);
				},
				{ colorScheme },
			);
		},
	);

	it('are loaded in the list of credentials', async () => {
		const { editor } = environment();
		const name = `Listed ${randomUUID()}`;
		await editor.n8n.addCredential('cardPlatformApi', {}, name);
		await onPage(editor, '/home/credentials', async (page) => {
			const listed = page.getByTestId('resources-list-item');
			const search = 'resources-list-search';
			const field = page.locator(`[data-test-id=${search}] input, input[data-test-id=${search}]`);
			await field.fill(name);
			await listed.getByText(name).waitFor();
			await untilPasses(async () => expect(await listed.count()).toBe(1));
			const files = await imagePaths(page, '[data-test-id=resources-list-item] img');
			expect(files).toEqual([expect.stringMatching(/\/cardPlatform\.svg$/)]);
		});
	});
});
