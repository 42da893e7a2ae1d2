/** The address of one car, which members hand on: it opens where whoever reads it looks at cars. */
import { Navigate, useParams } from 'react-router-dom';
import { offerPath } from '@/widgets/offers/offer-path';
import { useSignedIn } from '@/lib/auth/auth-context';

export default function CarScreen() {
  const { postId = '' } = useParams();
  const { profile } = useSignedIn();
  return <Navigate to={offerPath(profile.user_type, postId)} replace />;
}
