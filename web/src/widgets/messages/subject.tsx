/** The car a conversation was begun about, named by `?post=` or `?request=`: a reminder above the field, nothing more. */
import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useSearchParams } from 'react-router-dom';
import { Button } from '@/components/ui/button';
import { messages } from '@/copy/messages';
import { offerSubjectQueryOptions } from '@/features/posts/data/offer-subject-query';
import { requestSubjectQueryOptions } from '@/features/requests/data/one-request-query';
import { formatPrice } from '@/lib/format';

const copy = messages.subject;
const PARAMS = ['post', 'request'] as const;

export function Subject() {
  const [search, setSearch] = useSearchParams();
  const offer = useOffer(search.get('post'));
  const request = useRequest(search.get('request'));
  const subject = offer ?? request;
  if (!subject) return null;
  const remove = () => {
    const rest = new URLSearchParams(search);
    PARAMS.forEach((param) => rest.delete(param));
    setSearch(rest, { replace: true });
  };
  return (
    <p className="flex items-center gap-2 border-t bg-muted py-1 pr-1 pl-4 text-small">
      <span className="min-w-0 flex-1 truncate">
        {copy.about}{' '}
        <span dir="auto" className="font-semibold">
          {subject}
        </span>
      </span>
      <Button variant="ghost" size="icon" aria-label={copy.remove} onClick={remove} className="sm:size-8">
        <X aria-hidden />
      </Button>
    </p>
  );
}

function useOffer(id: string | null): string | null {
  const { data } = useQuery({ ...offerSubjectQueryOptions(id ?? ''), enabled: id !== null });
  if (!data) return null;
  const { car_name: make, model, year, cnf_price: price } = data;
  const car = [make, model, year].filter(Boolean).join(' ');
  return price === null ? car : `${car} · ${copy.price(formatPrice(price))}`;
}

function useRequest(id: string | null): string | null {
  const { data } = useQuery({ ...requestSubjectQueryOptions(id ?? ''), enabled: id !== null });
  return data ? `${data.car_make} ${data.car_model}` : null;
}
