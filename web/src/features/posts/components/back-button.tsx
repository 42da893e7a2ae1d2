import { ArrowLeft } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { createPost as copy } from '@/copy/post-form';
import { useNavigate } from '@/lib/navigation/use-navigate';

/** Leads to the page before, from where an offer is written. */
export function BackButton() {
  const navigate = useNavigate();
  return (
    <Button variant="ghost" className="-ml-3 px-2" onClick={() => navigate(-1)}>
      <ArrowLeft aria-hidden />
      {copy.back}
    </Button>
  );
}
