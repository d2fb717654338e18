/** Attempts are recorded although the database refuses many of them at once, or some of them for long. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inspect } from '../../../support/database/inspect.ts'
import { eventually, soonMs } from '../../../support/eventually.ts'
import type { Scene } from '../../../support/webhooks/delivery-scene.ts'
import { scenesOfOwn } from '../../scenes.ts'

/** As the server says that a statement took too long. */
const refusal = "RAISE EXCEPTION 'canceling statement' USING ERRCODE = 'query_canceled';"

describe('What has been sent is recorded', () => {
  const setScene = scenesOfOwn('postgres')

  it('in small portions while the database refuses large ones, and then in larger ones again', async () => {
    await using scene = await setScene()
    const { databaseUrl } = scene.service.config
    const { answerAll, recorded } = await hold(scene, { subscriptions: 8, events: 4 })
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
    await eventually('some of them', soonMs, async () => (await recorded()) >= 8)
    assert.ok((await largest()) <= 5)
    await inspect(databaseUrl, onPortion(''))
    await eventually('all of them', soonMs, async () => (await recorded()) === 32)
    assert.ok((await largest()) > 5)
  })

  it('though the database refuses those of one subscription, which wait until it takes them', async () => {
    await using scene = await setScene()
    const { databaseUrl } = scene.service.config
    const { answerAll, recorded, ids } = await hold(scene, { subscriptions: 4, events: 2 })
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
    await eventually('those of the others', soonMs, async () => (await recorded()) === 6)
    await inspect(databaseUrl, 'DROP TRIGGER refused ON subscription')
    await eventually('all of them', soonMs, async () => (await recorded()) === 8)
  })
})

/** Sends as many events to each of several subscriptions, and keeps all of them waiting for their answers. */
async function hold(scene: Scene, { subscriptions, events }: { subscriptions: number; events: number }) {
  const answers: (() => void)[] = []
  const receiver = await scene.receiver((response) => answers.push(() => response.end()))
  const ids: string[] = []
  for (let count = 0; count < subscriptions; count++) {
    ids.push(await scene.subscribe(receiver, { events: ['thing.*'] }))
  }
  for (let count = 0; count < events; count++) await scene.publish()
  await eventually('all requests', soonMs, async () => answers.length === subscriptions * events)
  const { executor } = (await scene.service.service.operator()).shared.catalogueDatabase
  return {
    ids,
    answerAll: () => {
      for (const answer of answers) answer()
    },
    recorded: async () => {
      const ofTenant = `SELECT 1 FROM delivery WHERE status = 'SUCCEEDED' AND attempts = 1 AND tenant_id = '${scene.tenant.id}'`
      return (await executor.run(ofTenant, [], true)).rows.length
    },
  }
}

function onPortion(work: string): string {
  return `CREATE OR REPLACE FUNCTION on_portion() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${work}
    INSERT INTO portion SELECT count(*) FROM added; RETURN NULL; END $$`
}
