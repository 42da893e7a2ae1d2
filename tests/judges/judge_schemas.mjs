// What ajv says of JSON and schemas: a line of input is [draft, schema, instances], a line of output a list of verdicts,
// or null where ajv runs in circles, or the message of what it takes for no schema.
import { createInterface } from 'node:readline'
import Ajv from 'ajv'
import Ajv2019 from 'ajv/dist/2019.js'
import Ajv2020 from 'ajv/dist/2020.js'

const drafts = { 7: Ajv.default ?? Ajv, 2019: Ajv2019.default ?? Ajv2019, 2020: Ajv2020.default ?? Ajv2020 }

function verdicts(draft, schema, instances) {
  const ajv = new drafts[draft]({ strict: false, validateFormats: false, logger: false })
  try {
    const validate = ajv.compile(schema)
    return instances.map((instance) => validate(instance))
  } catch (error) {
    return error instanceof RangeError ? null : String(error)
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(verdicts(...JSON.parse(line))))
}
