import { useParams } from 'react-router-dom';
import { PublicProfilePage } from '@/app/public-profile/public-profile-page';

export default function PublicAgentProfileScreen() {
  const { agentId = '' } = useParams();
  return <PublicProfilePage key={agentId} kind="agent" memberId={agentId} />;
}
