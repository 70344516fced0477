import type { INodeProperties } from 'n8n-workflow';

import { CardPlatformApi } from '../../credentials/CardPlatformApi.credentials';
import { CardPlatformWebhookApi } from '../../credentials/CardPlatformWebhookApi.credentials';
import { onPage, useEditorEnvironment } from '../support/n8n/editor.ts';

const environment = useEditorEnvironment();

jest.setTimeout(600_000);

const isHidden = ({ displayOptions }: INodeProperties) => displayOptions !== undefined;

test.each([new CardPlatformApi(), new CardPlatformWebhookApi()])(
	'the dialog of $displayName shows a hint below each field, and hides what few people need',
	({ displayName, properties }) =>
		onPage(environment().editor, '/home/credentials/create', async (page) => {
			await page.getByTestId('new-credential-type-select').locator('input').fill('Card Platform');
			const option = page.getByTestId('new-credential-type-select-option');
			await option.getByText(displayName, { exact: true }).click();
			await page.getByTestId('new-credential-type-button').click();
			const dialog = page.getByTestId('credential-edit-dialog');
			const field = (name: string) => dialog.getByTestId(`parameter-input-${name}`);
			const showsHints = async (shown: INodeProperties[]) => {
				for (const { hint = '' } of shown) {
					expect(hint).toMatch(/./);
					await dialog.getByText(hint, { exact: true }).waitFor();
				}
			};
			await showsHints(properties.filter((each) => !isHidden(each)));
			const hidden = properties.filter(isHidden);
			for (const { name } of hidden) expect(await field(name).count()).toBe(0);
			if (hidden.length === 0) return;
			await field('keyScope').click();
			await page.getByRole('option').filter({ hasText: 'Customer' }).click();
			await field('advanced').locator('.el-switch').click();
			await showsHints(hidden);
		}),
);
