/** Which conversation is open stands in the address: `?agent=` or `?importer=` with what the conversation goes by. */
import { isUuid } from '@/lib/uuid';
import { departedIn } from './departed';

/** What the conversation goes by; undefined is nobody. */
export function readCounterpart(value: string | null): string | undefined {
  return isUuid(value) || (value !== null && isUuid(departedIn(value))) ? value : undefined;
}

export function writeCounterpart(param: string, key: string | undefined): Record<string, string> {
  return key === undefined ? {} : { [param]: key };
}
