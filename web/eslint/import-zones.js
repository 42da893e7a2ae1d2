/**
 * Which folder of src may import which, computed from the folder names so that a new feature is covered unasked:
 * app → widgets → features/<noun> → components, hooks → lib → config, copy, data.
 */
import { readdirSync } from 'node:fs';

const LAYERS = [
  ['app'],
  ['widgets'],
  ['features'],
  ['components', 'hooks'],
  ['lib'],
  ['config', 'copy', 'data'],
];

const WIDGET = 'A widget does not import another one; let the screen put them together.';
const FEATURE = 'A feature does not import another one; let a widget or the screen pass what is needed.';

export function importZones() {
  return [
    ...layerZones(),
    ...roomZones('widgets', WIDGET),
    ...roomZones('features', FEATURE),
    ...clientZones(),
  ];
}

/** A lower layer never imports a higher one. */
function layerZones() {
  return LAYERS.flatMap((layer, index) =>
    layer.map((folder) => ({
      target: `./src/${folder}`,
      from: LAYERS.slice(0, index)
        .flat()
        .map((higher) => `./src/${higher}`),
      message:
        'Imports point downwards: app → widgets → features → components, hooks → lib → config, copy, data.',
    })),
  ).filter((zone) => zone.from.length > 0);
}

/** Rooms of one layer never import each other: what two of them make together stands in the layer above. */
function roomZones(layer, message) {
  return roomsOf(layer).map((name) => ({
    target: `./src/${layer}/${name}`,
    from: `./src/${layer}`,
    except: [`./${name}`],
    message,
  }));
}

/** Only a feature's data folder and lib talk to the backend: not its components, and not what lies beside them. */
function clientZones() {
  const beside = roomsOf('features').flatMap((name) => [
    `./src/features/${name}/*.{ts,tsx}`,
    `./src/features/${name}/!(data)/**/*`,
  ]);
  return [...['app', 'widgets', 'components', 'hooks'].map((folder) => `./src/${folder}`), ...beside].map(
    (target) => ({
      target,
      from: './src/lib/supabase.ts',
      message: 'Only lib and features/<noun>/data call the backend; write a query or a mutation there.',
    }),
  );
}

function roomsOf(layer) {
  return readdirSync(new URL(`../src/${layer}`, import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
}
