import { act, fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { BusyButton } from './busy-button';
import { Button } from './button';
import { ConfirmDialog } from './confirm-dialog';

/** Both presses happen before React draws anything. */
function pressTwice(button: HTMLElement): void {
  act(() => {
    button.click();
    button.click();
  });
}

it('A busy button acts once when it is pressed twice, and again later', async () => {
  const onClick = vi.fn();
  render(
    <BusyButton busy={false} busyText="Sending..." onClick={onClick}>
      Send
    </BusyButton>,
  );
  const button = screen.getByRole('button', { name: /Send/ });
  pressTwice(button);
  expect(onClick).toHaveBeenCalledTimes(1);
  await vi.waitFor(() => {
    fireEvent.click(button);
    expect(onClick).toHaveBeenCalledTimes(2);
  }, 15_000);
});

it('A form is sent once when its busy button is pressed twice', () => {
  const onSubmit = vi.fn((event: { preventDefault: () => void }) => event.preventDefault());
  render(
    <form onSubmit={onSubmit}>
      <BusyButton type="submit" busy={false} busyText="Sending...">
        Send
      </BusyButton>
    </form>,
  );
  pressTwice(screen.getByRole('button', { name: /Send/ }));
  expect(onSubmit).toHaveBeenCalledTimes(1);
});

it('A question that is answered twice is answered once', async () => {
  const onConfirm = vi.fn();
  render(
    <ConfirmDialog
      trigger={<Button>Delete</Button>}
      title="Delete the post?"
      text="It cannot be taken back."
      confirm="Yes, delete"
      onConfirm={onConfirm}
    />,
  );
  fireEvent.click(screen.getByRole('button', { name: 'Delete' }));
  pressTwice(await screen.findByRole('button', { name: 'Yes, delete' }, { timeout: 15_000 }));
  expect(onConfirm).toHaveBeenCalledTimes(1);
});
