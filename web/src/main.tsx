import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { missingSettings } from '@/config/env';
import { MissingConfiguration } from './app/missing-configuration';
import { Providers } from './app/providers';
import './styles/app.css';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root.');

const missing = missingSettings();
createRoot(root).render(
  <StrictMode>{missing.length === 0 ? <Providers /> : <MissingConfiguration names={missing} />}</StrictMode>,
);
