import { Outlet } from 'react-router-dom';
import { ViewerShell } from '@/widgets/shell/viewer-shell';
import { useAuth } from '@/lib/auth/auth-context';
import { decideAccess } from './access';
import { Gate } from './gate';

export default function SignedInGuard() {
  return (
    <Gate access={decideAccess(useAuth(), null)}>
      <ViewerShell>
        <Outlet />
      </ViewerShell>
    </Gate>
  );
}
