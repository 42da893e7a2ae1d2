import { useParams } from 'react-router-dom';
import { PublicProfilePage } from '@/widgets/public-profile/public-profile-page';

export default function PublicAgentProfileScreen() {
  const { agentId = '' } = useParams();
  return <PublicProfilePage key={agentId} kind="agent" memberId={agentId} />;
}
