import type { N8nClient, StoredCredential } from '../../dev/harness/n8n/client.ts';
import type { WorkflowFile } from '../../dev/harness/n8n/workflow.ts';

const type = 'n8n-nodes-base.googleSheets';

/** A Google credential as n8n holds it after a person has signed in, for the steps of its type. */
export async function googleSheets(n8n: N8nClient): Promise<Record<string, StoredCredential>> {
	const oauthTokenData = { access_token: 'for-the-stand-in', token_type: 'Bearer' };
	const data = { clientId: 'client', clientSecret: 'secret', oauthTokenData };
	return { [type]: await n8n.addCredential('googleSheetsOAuth2Api', data) };
}

/** A workflow with the URL of a spreadsheet entered, whose ID has at least 25 characters. */
export function inSpreadsheet(file: WorkflowFile, spreadsheet: string): WorkflowFile {
	const value = `https://docs.google.com/spreadsheets/d/${spreadsheet}/edit#gid=0`;
	const documentId = { __rl: true, mode: 'url', value };
	const nodes = file.nodes.map((node) =>
		node.type === type ? { ...node, parameters: { ...Object(node.parameters), documentId } } : node,
	);
	return { ...file, nodes };
}
