// What pages are made of.

export * from './entities.ts';
export * from './form.ts';
export * from './format.ts';
export * from './layout.ts';
export * from './list.ts';
export * from './parts.ts';
