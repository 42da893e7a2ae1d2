import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Tabs, TabsContent, TabsList, TabsTrigger } from './tabs';

const NAMES = ['offers', 'requests', 'saved'];
const onChoice = vi.fn();

function Probe() {
  const [tab, setTab] = useState('offers');
  const choose = (next: string) => {
    onChoice(next);
    setTab(next);
  };
  return (
    <Tabs value={tab} onValueChange={choose}>
      <TabsList aria-label="Lists">
        {NAMES.map((name) => (
          <TabsTrigger key={name} value={name}>
            {name}
          </TabsTrigger>
        ))}
      </TabsList>
      {NAMES.map((name) => (
        <TabsContent key={name} value={name}>
          <p>What {name} holds</p>
        </TabsContent>
      ))}
    </Tabs>
  );
}

beforeEach(() => {
  onChoice.mockClear();
  render(<Probe />);
});

const tab = (name: string) => screen.getByRole('tab', { name });

function expectChosen(name: string): void {
  expect(screen.getByRole('tab', { selected: true })).toBe(tab(name));
  const panel = screen.getByRole('tabpanel', { name });
  expect(panel).toHaveTextContent(`What ${name} holds`);
  expect(tab(name)).toHaveAttribute('aria-controls', panel.id);
  expect(screen.getAllByText(/^What/)).toHaveLength(1);
}

describe('tabs', () => {
  it('show the chosen one and point each at its own panel', () => {
    expect(screen.getByRole('tablist', { name: 'Lists' })).toBeVisible();
    expectChosen('offers');
    for (const name of NAMES)
      expect(document.getElementById(tab(name).getAttribute('aria-controls') ?? '')).not.toBeNull();
  });

  it('are one stop for the Tab key, the chosen one, and what it holds is the next', async () => {
    await userEvent.click(tab('requests'));
    await userEvent.tab({ shift: true });
    expect(document.body).toHaveFocus();
    await userEvent.tab();
    expect(tab('requests')).toHaveFocus();
    await userEvent.tab();
    expect(screen.getByRole('tabpanel')).toHaveFocus();
  });

  it('follow the arrows around, Home and End', async () => {
    await userEvent.tab();
    for (const [key, name] of [
      ['ArrowRight', 'requests'],
      ['ArrowRight', 'saved'],
      ['ArrowRight', 'offers'],
      ['ArrowLeft', 'saved'],
      ['Home', 'offers'],
      ['End', 'saved'],
    ] as const) {
      await userEvent.keyboard(`{${key}}`);
      expect(tab(name)).toHaveFocus();
      expectChosen(name);
    }
  });

  it('leave combinations of keys to the browser', async () => {
    await userEvent.tab();
    await userEvent.keyboard('{Alt>}{ArrowRight}{/Alt}');
    expectChosen('offers');
  });

  it('are chosen when the button goes down, once', async () => {
    fireEvent.mouseDown(tab('saved'));
    expectChosen('saved');
    expect(tab('saved')).toHaveFocus();
    await userEvent.click(tab('saved'));
    expect(onChoice.mock.calls).toEqual([['saved']]);
  });

  it('are not chosen by the other button, and are by a press without a pointer', () => {
    fireEvent.mouseDown(tab('saved'), { button: 2 });
    expectChosen('offers');
    fireEvent.click(tab('saved'));
    expectChosen('saved');
  });
});

describe('tabs with less room than they take', () => {
  it('have the chosen one in the middle', async () => {
    const list = screen.getByRole('tablist');
    vi.spyOn(list, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 300, 44));
    vi.spyOn(tab('saved'), 'getBoundingClientRect').mockReturnValue(new DOMRect(500, 0, 100, 44));
    await userEvent.click(tab('saved'));
    expect(list.scrollLeft).toBe(400);
  });
});
