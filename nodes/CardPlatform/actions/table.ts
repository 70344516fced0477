import { rename } from './account/rename';
import { transfer } from './account/transfer';
import { get as getBalance } from './balance/get';
import { archive, freeze, unfreeze } from './card/changeStatus';
import { create } from './card/create';
import { get as getCard } from './card/get';
import { getAll as getCards } from './card/getAll';
import { getSensitiveDetails } from './card/getSensitiveDetails';
import { update } from './card/update';
import { count as countCardEvents, getAll as getCardEvents } from './cardEvent/getAll';
import { check } from './connection/check';
import { surveyApi } from './connection/surveyApi';
import type { Operation, Resource } from './operation';
import { getAll as getPayments } from './payment/getAll';
import { getAll as getSettlements } from './settlement/getAll';
import { get as getTransaction } from './transaction/get';
import { getAll as getTransactions } from './transaction/getAll';

/** Every resource and operation of the action node: the form and the router both follow it. */
export const RESOURCES: Resource[] = [
	{
		value: 'account',
		name: 'Account',
		description: 'Rename accounts, and move money between them',
		initial: undefined,
		operations: [rename, transfer],
	},
	{
		value: 'balance',
		name: 'Balance',
		description: 'Credit limit and recent spend',
		initial: getBalance,
		operations: [getBalance],
	},
	{
		value: 'card',
		name: 'Card',
		description: 'Company cards, with their status and limit',
		initial: getCard,
		operations: [archive, create, freeze, getCard, getCards, getSensitiveDetails, unfreeze, update],
	},
	{
		value: 'cardEvent',
		name: 'Card Event',
		description: 'What happened on a card: approvals, declines, refunds',
		initial: getCardEvents,
		operations: [countCardEvents, getCardEvents],
	},
	{
		value: 'connection',
		name: 'Connection',
		description: 'Whether the API works, and how it differs',
		initial: check,
		operations: [check, surveyApi],
	},
	{
		value: 'payment',
		name: 'Payment',
		description: 'Bills you owe the card platform (card spending: Transaction)',
		initial: getPayments,
		operations: [getPayments],
	},
	{
		value: 'settlement',
		name: 'Settlement',
		description: 'Records of transactions that were settled',
		initial: getSettlements,
		operations: [getSettlements],
	},
	{
		value: 'transaction',
		name: 'Transaction',
		description: 'Card spending: each purchase with its status and amount',
		initial: getTransaction,
		operations: [getTransaction, getTransactions],
	},
];

/** Finds an operation by the values that the workflow stores; undefined if no operation has them. */
export const findOperation = (resource: string, operation: string): Operation | undefined =>
	RESOURCES.find(({ value }) => value === resource)?.operations.find(
		({ value }) => value === operation,
	);
