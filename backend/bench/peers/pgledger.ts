import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import type pg from 'pg'
import { priceMicrocredits } from '../ours.ts'

/**
 * Double entry in the shape that https://github.com/pgr0ss/pgledger publishes, in SQL of our own: text ids that sort by
 * time, numeric amounts, two accounts locked in the order of their ids and updated, one transfer, two entries with the
 * balances before and after, and its indexes and foreign keys.
 */
const shape = `
  create table pgledger_accounts (
    id text primary key default 'pgla_' || uuidv7(),
    name text not null,
    currency text not null,
    balance numeric not null default 0,
    version bigint not null default 0,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
  );
  create table pgledger_transfers (
    id text primary key default 'pglt_' || uuidv7(),
    from_account_id text not null references pgledger_accounts,
    to_account_id text not null references pgledger_accounts,
    amount numeric not null check (amount > 0),
    created_at timestamptz not null default now(),
    event_at timestamptz not null default now(),
    check (from_account_id <> to_account_id)
  );
  create index on pgledger_transfers (from_account_id);
  create index on pgledger_transfers (to_account_id);
  create index on pgledger_transfers (event_at);
  create table pgledger_entries (
    id text primary key default 'pgle_' || uuidv7(),
    account_id text not null references pgledger_accounts,
    transfer_id text not null references pgledger_transfers,
    amount numeric not null,
    account_previous_balance numeric not null,
    account_current_balance numeric not null,
    account_version bigint not null,
    created_at timestamptz not null default now()
  );
  create index on pgledger_entries (account_id);
  create index on pgledger_entries (transfer_id);

  create function pgledger_create_account(name text, currency text) returns setof pgledger_accounts
  language sql as $$
    insert into pgledger_accounts (name, currency) values (name, currency) returning *
  $$;

  create function pgledger_create_transfer(payer text, payee text, amount numeric) returns setof pgledger_transfers
  language plpgsql as $$
  declare
    transfer pgledger_transfers;
    debited pgledger_accounts;
    credited pgledger_accounts;
  begin
    perform from pgledger_accounts where id = least(payer, payee) for update;
    perform from pgledger_accounts where id = greatest(payer, payee) for update;
    update pgledger_accounts a set balance = a.balance - amount, version = a.version + 1, updated_at = now()
      where a.id = payer returning * into debited;
    update pgledger_accounts a set balance = a.balance + amount, version = a.version + 1, updated_at = now()
      where a.id = payee returning * into credited;
    if debited.currency <> credited.currency then
      raise exception 'The accounts have different currencies';
    end if;
    insert into pgledger_transfers (from_account_id, to_account_id, amount) values (payer, payee, amount)
      returning * into transfer;
    insert into pgledger_entries
        (account_id, transfer_id, amount, account_previous_balance, account_current_balance, account_version)
      values (payer, transfer.id, -amount, debited.balance + amount, debited.balance, debited.version);
    insert into pgledger_entries
        (account_id, transfer_id, amount, account_previous_balance, account_current_balance, account_version)
      values (payee, transfer.id, amount, credited.balance - amount, credited.balance, credited.version);
    return next transfer;
  end $$;
`

/** pgledger on so many accounts; its own SQL where PGLEDGER_SQL_DIR names a checkout of it. */
export async function pgledgerPeer(pool: pg.Pool, accounts: number) {
  const folder = process.env.PGLEDGER_SQL_DIR
  await pool.query(folder ? await itsOwnSql(folder) : shape)
  const { rows } = await pool.query<{ id: string }>(
    `select account.id from generate_series(1, $1) as place,
       lateral pgledger_create_account('account ' || place, 'USD') as account`,
    [accounts],
  )
  const ids = rows.map(({ id }) => id)
  const text = 'select * from pgledger_create_transfer($1, $2, $3)'
  const transfer = (payer: string, payee: string) =>
    pool.query({ name: 'transfer', text, values: [payer, payee, priceMicrocredits] })

  const another = (than: string): string => {
    for (;;) {
      const id = ids[Math.floor(Math.random() * ids.length)] ?? than
      if (id !== than) return id
    }
  }
  const hot = ids[0] ?? ''
  return {
    sql: folder ? 'its own SQL' : 'its shape',
    /** Its best case: no account is in more transfers than any other. */
    betweenAnyTwo: () => {
      const payer = another('')
      return transfer(payer, another(payer))
    },
    fromOne: () => transfer(hot, another(hot)),
  }
}

async function itsOwnSql(folder: string): Promise<string> {
  const vendored = path.join(folder, 'vendor', 'scoville-pgsql-ulid')
  const needed = (await readdir(vendored))
    .filter((name) => name.endsWith('.sql'))
    .map((name) => path.join(vendored, name))
  const files = [...needed, path.join(folder, 'pgledger.sql')]
  return (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('\n')
}
