import { useParams } from 'react-router-dom';
import { PublicProfilePage } from '@/widgets/public-profile/public-profile-page';

export default function PublicImporterProfileScreen() {
  const { importerId = '' } = useParams();
  return <PublicProfilePage key={importerId} kind="importer" memberId={importerId} />;
}
