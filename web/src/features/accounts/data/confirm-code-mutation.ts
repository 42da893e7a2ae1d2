import { useMutation } from '@/lib/use-mutation';
import { confirmEmail } from './confirm-email';

interface ConfirmationCode {
  email: string;
  code: string;
}

function confirmByCode({ email, code }: ConfirmationCode) {
  return confirmEmail((auth) => auth.verifyOtp({ email, token: code, type: 'email' }));
}

export function useConfirmByCode() {
  return useMutation({ mutationFn: confirmByCode });
}
