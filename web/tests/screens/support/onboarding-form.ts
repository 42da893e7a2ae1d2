/** The onboarding form as a person fills it in. */
import { fireEvent, screen, within } from '@testing-library/react';
import { fill } from './visit';

export const IDENTITY = 'Identity document';
export const COMPANY = 'Company proof';
export const PICTURE = 'Profile picture';

const MEGABYTE = 1024 * 1024;

/** What a real file of that kind begins with. */
function beginningOf(name: string): BlobPart {
  if (name.toLowerCase().endsWith('.pdf')) return '%PDF-1.4';
  return new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
}

export function fileOf(name: string, megabytes = 0.1, content: BlobPart = beginningOf(name)): File {
  const file = new File([content], name);
  Object.defineProperty(file, 'size', { value: megabytes * MEGABYTE });
  return file;
}

export function tray(label: string): HTMLElement {
  return screen.getByRole('group', { name: label });
}

export function choose(label: string, file: File): void {
  const input = tray(label).querySelector('input[type=file]');
  if (!input) throw new Error(`No file can be chosen in '${label}'.`);
  fireEvent.change(input, { target: { files: [file] } });
}

/** It lies in the tray; a refused file is named there, too, but cannot be removed. */
export const isChosen = (label: string, name: string) =>
  within(tray(label)).queryByText(name) !== null &&
  within(tray(label)).queryByRole('button', { name: /^Remove/ }) !== null;

export function fillProfile(): void {
  fill('Company name', 'Mori Motors');
  fill('Years of experience', '12');
  fill('Languages spoken', 'Japanese, English');
  fill('Bio', 'Exporting since 2009.');
}

export function chooseDocuments(): void {
  choose(IDENTITY, fileOf('passport.pdf'));
  choose(COMPANY, fileOf('company.pdf'));
}

export function agentData(): unknown {
  return JSON.parse(localStorage.getItem('agentData') ?? 'null');
}
