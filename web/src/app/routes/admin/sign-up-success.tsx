import { CircleCheckBig } from 'lucide-react';
import { useEffect } from 'react';
import { Link } from 'react-router-dom';
import { PageHeading } from '@/components/page-heading';
import { Button } from '@/components/ui/button';
import { paths } from '@/config/paths';
import { adminSignUpSuccess as copy } from '@/copy/admin';
import { NoticePage } from '@/features/accounts/components/account-parts';
import { useNavigate } from '@/lib/navigation/use-navigate';

const REDIRECT_MS = 3_000;

export default function AdminSignUpSuccessScreen() {
  const navigate = useNavigate();
  useEffect(() => {
    const timer = setTimeout(() => navigate(paths.admin.login), REDIRECT_MS);
    return () => clearTimeout(timer);
  }, [navigate]);
  return (
    <NoticePage>
      <CircleCheckBig aria-hidden className="size-9 text-success" strokeWidth={1.5} />
      <PageHeading className="mt-4">{copy.title}</PageHeading>
      <p className="mt-3">{copy.text}</p>
      <p className="mt-1 text-muted-foreground">{copy.note}</p>
      <Button asChild className="mt-6">
        <Link to={paths.admin.login}>{copy.login}</Link>
      </Button>
    </NoticePage>
  );
}
