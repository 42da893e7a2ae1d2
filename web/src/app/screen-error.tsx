/** A screen that broke inside its area: the menu stays, and the screen can be tried again. */
import { useLocation, useNavigate } from 'react-router-dom';
import { PageHeading } from '@/components/page-heading';
import { Button } from '@/components/ui/button';
import { app, crash } from '@/copy/app';

export function ScreenError() {
  const location = useLocation();
  const navigate = useNavigate();
  return (
    <>
      <PageHeading>{crash.title}</PageHeading>
      <p role="alert" className="mt-2 max-w-[60ch] text-muted-foreground">
        {crash.inArea}
      </p>
      <Button className="mt-5" onClick={() => void navigate(location, { replace: true })}>
        {app.tryAgain}
      </Button>
    </>
  );
}
