// What the control plane responds with, by the types of its routes.

import type { hc, InferResponseType } from 'hono/client';
import type { ControlApp } from '../../controlRoutes.ts';

type Control = ReturnType<typeof hc<ControlApp>>;

export type Overview = InferResponseType<Control['index']['$get']>;
export type Account = Overview['accounts'][number];
export type Page<T> = Omit<InferResponseType<Control['cards']['$get']>, 'data'> & { data: T[] };
export type Card = InferResponseType<Control['cards']['$get']>['data'][number];
/** A transaction as GET /sandbox/transactions lists it. */
export type ListedTransaction = InferResponseType<Control['transactions']['$get']>['data'][number];
/** The response of a simulation. */
export type Simulated = InferResponseType<Control['simulate']['authorization']['$post']>;
export type FinancialEvent = Simulated['event'];
export type Endpoint = InferResponseType<Control['endpoints']['$get']>['data'][number];
export type DeliveriesPage = InferResponseType<Control['deliveries']['$get']>;
export type Delivery = DeliveriesPage['data'][number];
export type Attempt = Delivery['attempts'][number];
