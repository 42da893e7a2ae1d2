/**
 * What a style comes to, for tests. jsdom matches each of its hundred default rules with every element that somebody
 * asks about, and forgets the answer with the next change of the page: that was two fifths of what a screen's tests took.
 * Whether an element is shown needs none of it: by default that hangs on its name and the attributes below, and the only
 * style sheet of tests is the one that knows `invisible`. Everything else is still jsdom's own answer.
 */
type Answers = Record<string, (element: Element) => string>;

const INVISIBLE = 'invisible';
/** What default rules of `display` ask about. */
const ATTRIBUTES = ['hidden', 'type', 'open', 'popover'];

const computed = window.getComputedStyle.bind(window);
const defaults = new Map<string, string>();

const ANSWERS: Answers = {
  display: (element) => styleOf(element)?.display || defaultDisplay(element),
  visibility,
  opacity: (element) => styleOf(element)?.opacity ?? '',
};

export function answerStylesQuickly(): void {
  const sheet = document.createElement('style');
  sheet.textContent = `.${INVISIBLE} { visibility: hidden }`;
  document.head.append(sheet);
  window.getComputedStyle = (element, pseudo) => (pseudo ? computed(element, pseudo) : styleFor(element));
}

function styleFor(element: Element): CSSStyleDeclaration {
  const value = (name: string) => ANSWERS[name]?.(element) ?? computed(element).getPropertyValue(name);
  return new Proxy({} as CSSStyleDeclaration, {
    get(_, name) {
      if (name === 'getPropertyValue') return value;
      if (typeof name === 'string' && name in ANSWERS) return value(name);
      const style = computed(element);
      const own: unknown = Reflect.get(style, name, style);
      return typeof own === 'function' ? (own.bind(style) as unknown) : own;
    },
  });
}

function defaultDisplay(element: Element): string {
  // A summary is shown by its place among others.
  if (element.localName === 'summary') return computed(element).display;
  const kind = [element.localName, ...ATTRIBUTES.map((name) => element.getAttribute(name) ?? '-')].join(' ');
  const known = defaults.get(kind) ?? computed(element).display;
  defaults.set(kind, known);
  return known;
}

function visibility(element: Element): string {
  for (let at: Element | null = element; at; at = at.parentElement) {
    const own = styleOf(at)?.visibility;
    if (own) return own;
    if (at.classList.contains(INVISIBLE)) return 'hidden';
  }
  return 'visible';
}

function styleOf(element: Element): CSSStyleDeclaration | undefined {
  return (element as HTMLElement).style;
}
