import Fastify from 'fastify'
import pg from 'pg'
import { answerParent } from '../child.ts'

/** One route and one named statement: it knows nobody, checks nothing and logs nothing. */
const [url = '', connections = ''] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString: url, max: Number(connections) })
const app = Fastify()
app.get<{ Params: { id: string } }>('/balance/:id', async (request) => {
  const { rows } = await pool.query<{ balance: number }>({
    name: 'balance',
    text: 'select balance from peer_balances where id = $1',
    values: [request.params.id],
  })
  return { balance: Number(rows[0]?.balance) }
})
const address = await app.listen({ port: 0, host: '127.0.0.1' })
answerParent(
  () => Promise.resolve(),
  async () => {
    await app.close()
    await pool.end()
  },
)
process.send?.(address)
