/**
 * Saves the own profile: the picture first, then the columns, then the address, which waits for its confirmation. For
 * an agent the picture's URL is written on its own, as documented; for an importer it goes with the columns.
 */
import { ownProfile } from '@/copy/profiles';
import type { Profile } from '@/lib/auth/auth-context';
import type { TablesUpdate } from '@/lib/database.types';
import { NotAuthenticatedError, toAppError } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { uploadAvatar } from '@/lib/upload';
import { useMutation } from '@/lib/use-mutation';
import { profileColumnsOf, type ProfileForm } from '../schema';

interface ProfileChange {
  form: ProfileForm;
  picture: File | null;
}

async function saveProfile(profile: Profile, email: string, { form, picture }: ProfileChange): Promise<void> {
  const { user_id: userId, user_type: type } = profile;
  const avatar = picture ? { avatar_url: await uploadAvatar(userId, picture) } : {};
  const isAgent = type === 'agent';
  if (isAgent && picture) await updateProfile(userId, avatar);
  await updateProfile(userId, { ...profileColumnsOf(form, type), ...(!isAgent && avatar) });
  if (form.email !== email) await changeEmail(form.email);
}

async function updateProfile(userId: string, columns: TablesUpdate<'profiles'>): Promise<void> {
  const { error, status } = await supabase.from('profiles').update(columns).eq('user_id', userId);
  if (error) throw refusalOf(error, status);
}

async function changeEmail(email: string): Promise<void> {
  const { error } = await supabase.auth.updateUser({ email });
  if (error) throw refusalOf(error);
}

function refusalOf(failure: unknown, status?: number): Error {
  const error = toAppError(failure, ownProfile.failed.text, status);
  return error instanceof NotAuthenticatedError
    ? new NotAuthenticatedError(ownProfile.notAuthenticated, error.code)
    : error;
}

// AGP-024, AGP-026, ROL-006, ER2-010
export function useSaveProfile(profile: Profile, email: string) {
  return useMutation({ mutationFn: (change: ProfileChange) => saveProfile(profile, email, change) });
}
