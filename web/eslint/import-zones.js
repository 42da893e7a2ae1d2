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

const OFFICE = [
  ['audit', 'overview'],
  ['messages'],
  ['requests'],
  ['agents', 'importers', 'mails', 'analytics', 'settings'],
  ['members'],
  ['decisions'],
  ['records'],
];

const WIDGET = 'A widget does not import another one; let the screen put them together.';
const FEATURE = 'A feature does not import another one; let a widget or the screen pass what is needed.';

export function importZones() {
  return [
    ...layerZones(),
    ...roomZones('widgets', WIDGET),
    ...roomZones('features', FEATURE),
    ...officeZones(),
    ...clientZones(),
    ...consoleZones(),
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

/** The back office has rooms of its own; each may use what stands below it. */
function officeZones() {
  const office = './src/features/administration';
  return OFFICE.flatMap((rooms, index) =>
    rooms.map((room) => ({
      target: `${office}/${room}`,
      from: [...rooms.filter((other) => other !== room), ...OFFICE.slice(0, index).flat()].map(
        (other) => `${office}/${other}`,
      ),
      message:
        'Rooms of the back office: audit, overview → messages → requests → agents … → members → decisions → records.',
    })),
  );
}

/** Only a feature's data folder and lib talk to the backend: not its components, and not what lies beside them. */
function clientZones() {
  const office = OFFICE.flat().map((room) => `administration/${room}`);
  const nouns = roomsOf('features').filter((name) => name !== 'administration');
  const beside = [...nouns, ...office].flatMap((name) => [
    `./src/features/${name}/*.{ts,tsx}`,
    `./src/features/${name}/!(data)/**/*`,
  ]);
  beside.push('./src/features/administration/*.{ts,tsx}');
  return [...['app', 'widgets', 'components', 'hooks'].map((folder) => `./src/${folder}`), ...beside].map(
    (target) => ({
      target,
      from: './src/lib/supabase.ts',
      message: 'Only lib and features/<noun>/data call the backend; write a query or a mutation there.',
    }),
  );
}

/** The developer's console is an app of its own: of the web app it has the look, and nothing else. */
function consoleZones() {
  const message =
    'The console takes components/ui and lib/class-names of the web app, which takes nothing of it.';
  const closed = ['app', 'widgets', 'features', 'hooks', 'config', 'copy', 'data'];
  return [
    { target: './src', from: './console', message },
    { target: './console', from: closed.map((folder) => `./src/${folder}`), message },
    { target: './console', from: './src/components', except: ['./ui'], message },
    { target: './console', from: './src/lib', except: ['./class-names.ts'], message },
  ];
}

function roomsOf(layer) {
  return readdirSync(new URL(`../src/${layer}`, import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
}
