/** How much of a limited field is used: always in sight. */
import { useFormContext, useWatch } from 'react-hook-form';
import { TextCounter } from '../text-counter';

export function CharacterCounter({ name, limit }: { name: string; limit: number }) {
  const { control } = useFormContext<Record<string, string>>();
  const length = useWatch({ control, name }).trim().length;
  return <TextCounter length={length} limit={limit} />;
}
