import { cardNode, triggerNode } from '../../../harness/editor/editor.ts';
import { type EditorStage, imagePaths, onPage } from './stage.ts';

/** Tests that both themes show the icons that were drawn for them. */
export function icons(stage: () => EditorStage): void {
	it.each([
		['light', /\/cardPlatform\.svg$/],
		['dark', /\/cardPlatform\.dark\.svg$/],
	] as const)(
		'are loaded on the canvas, the right ones in %s colours',
		async (colorScheme, file) => {
			const { editor, apiCredential } = stage();
			const nodes = [
				triggerNode('Event', undefined),
				cardNode('Card', { resource: 'card', operation: 'get' }, apiCredential, [220, 0]),
			];
			const id = await editor.addWorkflow(`Icons ${colorScheme}`, nodes, ['Event', 'Card']);
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

	it('are loaded in the list of credentials', () =>
		onPage(stage().editor, '/home/credentials', async (page) => {
			const files = new Set(await imagePaths(page, '[data-test-id=resources-list-item] img'));
			expect([...files]).toEqual([expect.stringMatching(/\/cardPlatform\.svg$/)]);
		}));
}
