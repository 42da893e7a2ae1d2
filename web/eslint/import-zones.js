/**
 * Which folder of src may import which, computed from the folder names so that a new feature is covered unasked:
 * app → features/<noun> → components, hooks → lib → config, copy, data.
 */
import { readdirSync } from 'node:fs';

const LAYERS = [['app'], ['features'], ['components', 'hooks'], ['lib'], ['config', 'copy', 'data']];

export function importZones() {
  return [...layerZones(), ...featureZones(), ...clientZones()];
}

/** A lower layer never imports a higher one. */
function layerZones() {
  return LAYERS.flatMap((layer, index) =>
    layer.map((folder) => ({
      target: `./src/${folder}`,
      from: LAYERS.slice(0, index)
        .flat()
        .map((higher) => `./src/${higher}`),
      message: 'Imports point downwards: app → features → components, hooks → lib → config, copy, data.',
    })),
  ).filter((zone) => zone.from.length > 0);
}

/** Features never import each other; a screen in app/routes composes them. */
function featureZones() {
  return featureNames().map((name) => ({
    target: `./src/features/${name}`,
    from: './src/features',
    except: [`./${name}`],
    message: 'A feature does not import another one; let the screen pass what is needed.',
  }));
}

/** Only a feature's data folder and lib talk to the backend: not its components, and not what lies beside them. */
function clientZones() {
  const beside = featureNames().flatMap((name) => [
    `./src/features/${name}/*.{ts,tsx}`,
    `./src/features/${name}/!(data)/**/*`,
  ]);
  return [...['app', 'components', 'hooks'].map((folder) => `./src/${folder}`), ...beside].map((target) => ({
    target,
    from: './src/lib/supabase.ts',
    message: 'Only lib and features/<noun>/data call the backend; write a query or a mutation there.',
  }));
}

function featureNames() {
  return readdirSync(new URL('../src/features', import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
}
