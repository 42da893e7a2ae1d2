import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ErrorPage, MissingConfiguration } from '@/app/error-pages';
import { ErrorBoundary } from '@/components/error-boundary';
import { missingSettings } from '@/config/env';
import { listenForFailures, rootOptions } from '@/lib/error-report';
import { Providers } from './app/providers';
import './styles/app.css';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root.');

listenForFailures();
const missing = missingSettings();
createRoot(root, rootOptions).render(
  <StrictMode>
    <ErrorBoundary fallback={() => <ErrorPage />}>
      {missing.length === 0 ? <Providers /> : <MissingConfiguration names={missing} />}
    </ErrorBoundary>
  </StrictMode>,
);
