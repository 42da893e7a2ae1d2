import { render } from '@testing-library/react';
import { expect, it } from 'vitest';
import { signIn } from '@/copy/auth';
import { Sentence } from './sentence';

it("reads 'Title: Description' exactly as documented", () => {
  const { container } = render(<Sentence {...signIn.invalid} />);
  expect(container).toHaveTextContent(
    /^Invalid credentials: Please check your email and password and try again\.$/,
  );
});
