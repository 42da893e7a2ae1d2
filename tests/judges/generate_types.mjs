// What postgres-meta generates for each of the jobs on standard input, as a JSON list on standard output. It is what
// its server does when PG_META_GENERATE_TYPES is set, for several jobs at once: `supabase gen types` runs that.
import { readFileSync } from 'node:fs'
import { PostgresMeta } from '@supabase/postgres-meta'
import { getGeneratorMetadata } from './node_modules/@supabase/postgres-meta/dist/lib/generators.js'
import { generateGo, generatePython, generateSwift, generateTypescript } from '@supabase/postgrest-typegen'

const languages = {
  typescript: (metadata, job) =>
    generateTypescript(metadata, {
      detectOneToOneRelationships: job.one_to_one,
      postgrestVersion: job.postgrest_version ?? undefined,
      defaultSchema: 'public',
    }),
  python: generatePython,
  go: generateGo,
  swift: (metadata, job) => generateSwift(metadata, { accessControl: job.access_control }),
}

async function generate(job) {
  const { data, error } = await getGeneratorMetadata(new PostgresMeta({ connectionString: job.url, max: 1 }), {
    includedSchemas: job.schemas,
  })
  if (error) throw new Error(error.message)
  return languages[job.language](data, job)
}

const outputs = []
for (const job of JSON.parse(readFileSync(0, 'utf8'))) outputs.push(await generate(job))
process.stdout.write(JSON.stringify(outputs))
