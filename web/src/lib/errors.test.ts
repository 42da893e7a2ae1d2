import { expect, it } from 'vitest';
import { NotAuthenticatedError, toAppError } from './errors';

// FED-018
it.each([
  [{ code: 'PGRST303', message: 'JWT expired' }, 401],
  [{ code: 'session_not_found', message: 'Session from session_id claim in JWT does not exist' }, 403],
  [{ name: 'AuthSessionMissingError', message: 'Auth session missing!', status: 400 }, undefined],
  [{ message: 'No API key found' }, 401],
])('An action without a signed-in user fails with the documented words', (failure, status) => {
  const error = toAppError(failure, 'Failed to save', status);
  expect(error).toBeInstanceOf(NotAuthenticatedError);
  expect(error.message).toBe('Not authenticated');
});

it('A refusal of a signed-in user keeps the words of the service', () => {
  expect(toAppError({ code: '42501', message: 'Not yours' }, 'Failed to save', 403).message).toBe(
    'Not yours',
  );
});
