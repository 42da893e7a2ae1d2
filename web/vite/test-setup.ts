import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';
import { answerStylesQuickly } from './computed-style';

afterEach(cleanup);

// A busy machine draws late, and the first screen of a file is compiled while somebody waits for it.
configure({ asyncUtilTimeout: 15_000 });

// jsdom has no layout, so there is nothing to scroll.
Element.prototype.scrollIntoView = () => undefined;
window.scrollTo = () => undefined;

answerStylesQuickly();
