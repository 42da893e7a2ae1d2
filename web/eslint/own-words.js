/**
 * What a person wrote may run from right to left: the element around it says dir="auto", or is a <bdi>. Known by the
 * names of the columns, wherever such a one stands among the children of an element.
 */
const COLUMNS = new Set(
  'full_name company_name car_name car_make car_model model bio description subject body comment content reason outcome city'
    .concat(' message response_message review_note dispute_reason')
    .split(' '),
);
/** Components that say it themselves. */
const CARRIERS = new Set(['bdi', 'title', 'option', 'PageHeading', 'Badge']);

export const ownWords = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      direction: 'A person wrote this: put dir="auto" on the element, or a <bdi> around the words.',
    },
  },
  create: (context) => ({
    JSXExpressionContainer(node) {
      const scope = context.sourceCode.getScope(node);
      const isWords = (shown) => isColumn(shown) && !isImported(shown.object, scope);
      if (node.parent.type !== 'JSXElement' || !shownOf(node.expression).some(isWords)) return;
      if (!isCarried(node.parent)) context.report({ node, messageId: 'direction' });
    },
  }),
};

/** `a ?? b`, `a && b` and `a ? b : c` show their parts. */
function shownOf(expression) {
  if (expression.type === 'LogicalExpression') {
    const left = expression.operator === '&&' ? [] : shownOf(expression.left);
    return [...left, ...shownOf(expression.right)];
  }
  if (expression.type === 'ConditionalExpression')
    return [...shownOf(expression.consequent), ...shownOf(expression.alternate)];
  return expression.type === 'TemplateLiteral' ? expression.expressions : [expression];
}

function isColumn({ type, object, property }) {
  return type === 'MemberExpression' && object.name !== 'error' && COLUMNS.has(property.name);
}

/** What is imported are the site's own texts, and `copy` is a part of them. */
function isImported(object, scope) {
  if (object.name === 'copy') return true;
  for (let place = scope; place; place = place.upper) {
    const variable = place.set.get(object.name);
    if (variable) return variable.defs.some(({ type }) => type === 'ImportBinding');
  }
  return false;
}

/** An element around it says so; one of another function does not count. */
function isCarried(element) {
  for (let node = element; node?.type.startsWith('JSX') || isJoint(node); node = node.parent) {
    const opening = node.openingElement;
    if (!opening) continue;
    if (CARRIERS.has(opening.name.name)) return true;
    if (opening.attributes.some((attribute) => attribute.name?.name === 'dir')) return true;
    if (/(^|\s)sr-only/.test(classOf(opening))) return true;
  }
  return false;
}

const isJoint = (node) => node?.type === 'LogicalExpression' || node?.type === 'ConditionalExpression';

/** What only screen readers get has no side to begin at. */
function classOf(opening) {
  const attribute = opening.attributes.find(({ name }) => name?.name === 'className');
  return attribute?.value?.value ?? '';
}
