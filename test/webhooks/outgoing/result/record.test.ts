/** Attempts are recorded although the database refuses many of them at once, or some of them for long. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inspect } from '../../../support/database/inspect.ts'
import { eventually } from '../../../support/eventually.ts'
import { type Scene, setScene } from '../../../support/webhooks/delivery-scene.ts'

const subscriptions = 8
/** As the server says that a statement took too long. */
const refusal = "RAISE EXCEPTION 'canceling statement' USING ERRCODE = 'query_canceled';"

describe('What has been sent is recorded', () => {
  it('in small portions while the database refuses large ones, and then in larger ones again', async () => {
    await using scene = await setScene('postgres')
    const { databaseUrl } = scene.service.config
    const { answerAll, recorded } = await hold(scene, 8)
    await inspect(databaseUrl, 'CREATE TABLE portion (size integer)')
    await inspect(databaseUrl, onPortion(`IF (SELECT count(*) > 5 FROM added) THEN ${refusal} END IF;`))
    await inspect(
      databaseUrl,
      `CREATE TRIGGER portioned AFTER INSERT ON attempt REFERENCING NEW TABLE AS added
        FOR EACH STATEMENT EXECUTE FUNCTION on_portion()`,
    )
    const largest = async () => {
      const [row] = await inspect(databaseUrl, 'SELECT max(size) AS largest FROM portion')
      return Number(row?.['largest'])
    }
    answerAll()
    await eventually('some of them', 15_000, async () => (await recorded()) >= 8)
    assert.ok((await largest()) <= 5)
    await inspect(databaseUrl, onPortion(''))
    await eventually('all of them', 15_000, async () => (await recorded()) === 64)
    assert.ok((await largest()) > 5)
  })

  it('though the database refuses those of one subscription, which wait until it takes them', async () => {
    await using scene = await setScene('postgres')
    const { databaseUrl } = scene.service.config
    const { answerAll, recorded, ids } = await hold(scene, 2)
    await inspect(
      databaseUrl,
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${refusal} END $$`,
    )
    await inspect(
      databaseUrl,
      `CREATE TRIGGER refused BEFORE UPDATE ON subscription FOR EACH ROW
        WHEN (new.id = '${ids[0]}') EXECUTE FUNCTION refuse()`,
    )
    answerAll()
    await eventually('those of the others', 15_000, async () => (await recorded()) === 14)
    await inspect(databaseUrl, 'DROP TRIGGER refused ON subscription')
    await eventually('all of them', 15_000, async () => (await recorded()) === 16)
  })
})

/** Sends as many events to each of several subscriptions, and keeps all of them waiting for their answers. */
async function hold(scene: Scene, events: number) {
  const answers: (() => void)[] = []
  const receiver = await scene.receiver((response) => answers.push(() => response.end()))
  const ids: string[] = []
  for (let count = 0; count < subscriptions; count++) {
    ids.push(await scene.subscribe(receiver, { events: ['thing.*'] }))
  }
  for (let count = 0; count < events; count++) await scene.publish()
  await eventually('all requests', 10_000, async () => answers.length === subscriptions * events)
  return {
    ids,
    answerAll: () => {
      for (const answer of answers) answer()
    },
    recorded: async () => {
      const url = scene.service.config.databaseUrl
      const rows = await inspect(url, "SELECT 1 FROM delivery WHERE status = 'SUCCEEDED' AND attempts = 1")
      return rows.length
    },
  }
}

function onPortion(work: string): string {
  return `CREATE OR REPLACE FUNCTION on_portion() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${work}
    INSERT INTO portion SELECT count(*) FROM added; RETURN NULL; END $$`
}
