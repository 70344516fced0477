import { byId } from './dom.js';

// Runs after the page's own script: until that one listens, what was typed or sent would be lost.
byId('main', HTMLElement).inert = false;
