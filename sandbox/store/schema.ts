/** Marks a SQLite file as a sandbox's ("CPSB"), so that no other program's file is ever touched. */
export const APPLICATION_ID = 0x43505342;

/** Version of the tables below; a file of another version is refused. */
export const SCHEMA_VERSION = 3;

/**
 * The sandbox's tables. Columns are named like the fields of the domain types. Amounts are minor
 * units; times are RFC 3339 in UTC with milliseconds, so that text order is time order.
 */
export const SCHEMA = `
create table accounts (
	id integer primary key,
	name text not null,
	cardManagement integer not null,
	accountManagement integer not null,
	webhooks integer not null,
	creditLimit integer not null check (creditLimit >= 0)
) strict;

-- fromAccountId, toAccountId and amount are also what a repeated idempotencyKey is compared with.
create table transfers (
	id text primary key,
	fromAccountId integer not null references accounts,
	toAccountId integer not null references accounts,
	amount integer not null check (amount > 0),
	status text not null,
	createdAt text not null,
	idempotencyKey text unique
) strict;

create table apiKeys (
	hash text primary key,
	scope text not null check (scope in ('account', 'customer')),
	accountId integer references accounts,
	createdAt text not null,
	replacedAt text,
	check ((scope = 'account') = (accountId is not null))
) strict;
-- §8: one active key per customer, and a sandbox is one customer.
create unique index oneActiveKey on apiKeys ((1)) where replacedAt is null;

create table cards (
	id text primary key,
	accountId integer not null references accounts,
	name text not null,
	lastFour text not null,
	status text not null,
	type text not null,
	createdAt text not null,
	categories text not null,
	category text,
	limitAmount integer,
	limitType text,
	check ((limitAmount is null) = (limitType is null))
) strict;
-- §2: a name is unique, except that the name of an archived card may be reused.
create unique index oneCardPerName on cards (name) where status <> 'archived';
create index cardsByAge on cards (createdAt, id);

create table transactions (
	id text primary key,
	cardId text not null references cards,
	amount integer not null check (amount >= 0),
	amountDirection text not null,
	currency text not null,
	status text not null,
	createdAt text not null,
	merchantName text,
	authorizedAmount integer not null,
	clearedAmount integer not null,
	refundedAmount integer not null,
	check (clearedAmount between 0 and amount),
	check (refundedAmount between 0 and clearedAmount)
) strict;
create index transactionsByAge on transactions (createdAt, id);
create index transactionsByCard on transactions (cardId, createdAt, id);
create index pendingTransactions on transactions (cardId) where status = 'pending';

create table settlements (
	id text primary key,
	transactionId text not null references transactions,
	cardId text not null references cards,
	amount integer not null,
	currency text not null,
	createdAt text not null
) strict;
create index settlementsByAge on settlements (createdAt, id);
create index settlementsByCard on settlements (cardId, createdAt, id);

-- body: the exact bytes that are served, signed and delivered.
create table events (
	sequence integer primary key,
	id text not null unique,
	transactionId text not null references transactions,
	cardId text not null references cards,
	createdAt text not null,
	body blob not null
) strict;
create index eventsByCard on events (cardId, createdAt, sequence);
create index eventsByTransaction on events (transactionId, sequence);

create table payments (
	id text primary key,
	accountId integer not null references accounts,
	amount integer not null,
	dueDate text not null,
	status text not null,
	type text not null,
	descriptor text not null
) strict;
create index paymentsByDate on payments (accountId, dueDate);

create table endpoints (
	id text primary key,
	accountId integer not null references accounts,
	url text not null,
	retryTimestamp text not null check (retryTimestamp in ('new', 'original')),
	createdAt text not null,
	secret text not null,
	previousSecret text,
	previousSecretUntil text,
	failures integer not null default 0,
	failingSince text
) strict;

-- endpointId is no foreign key: the log of a removed endpoint stays.
create table deliveries (
	sequence integer primary key,
	id text not null unique,
	eventId text not null references events (id),
	endpointId text not null,
	url text not null,
	status text not null check (status in ('pending', 'delivered', 'failed')),
	dueAt text not null
) strict;
create index pendingByEndpoint on deliveries (endpointId, dueAt) where status = 'pending';
create index pendingByTime on deliveries (dueAt) where status = 'pending';
create index deliveriesByEvent on deliveries (eventId);

create table deliveryAttempts (
	sequence integer primary key,
	deliveryId text not null references deliveries (id),
	at text not null,
	httpStatus integer,
	durationMs integer not null,
	error text,
	responseBody text not null
) strict;
create index attemptsByDelivery on deliveryAttempts (deliveryId);
`;

/** Every table, children first, as they must be emptied. */
export const TABLES_CHILDREN_FIRST = [
	'deliveryAttempts',
	'deliveries',
	'endpoints',
	'events',
	'settlements',
	'transactions',
	'payments',
	'cards',
	'apiKeys',
	'transfers',
	'accounts',
];
