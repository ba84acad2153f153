/**
 * The functions of a journal: each is one statement for whoever calls it, and decides by what it has locked.
 *
 * PG-1. Rows are locked in one order by everybody: threads in the order that the writer sorted them in, then blobs by name, then the instance. Nobody
 *     waits for somebody who waits for him.
 * PG-2. What is decided on is read after the lock was had, in a statement of its own: a statement sees the database as it was when it began.
 * PG-3. Every row is found by a key, and nobody waits long for a lock: the settings of the connections see to that (`lane.ts`).
 */
import { expiry } from '../liveness.ts'

/** After how long a row without a sign of life is swept away, in milliseconds: whoever it was has counted as gone long since. */
const swept = 20 * expiry

const seconds = (ms: number): string => `interval '${ms / 1000} seconds'`

/** What each verdict of an append is called in the database. */
export const verdicts = { appended: 0, conflict: 1, fenced: 2, again: 3 } as const

/** The functions of a schema. */
export function functionsOf(s: string): string {
  return [chain(s), append(s), appendAll(s), take(s), acquire(s), sign(s), remove(s)].join('\n')
}

/** The hash of a batch, and the beginning of a thread. */
function chain(s: string): string {
  return `
create or replace function ${s}.link(previous bytea, id text, line text) returns bytea language sql stable as $$
  select sha256(convert_to(encode(previous, 'hex') || E'\\n{"id":"' || id || '",' || line, 'UTF8'))
$$;
create or replace function ${s}.begin_thread(p_thread text) returns void language sql as $$
  insert into ${s}.threads (name, seq, hash, epoch, status) values (p_thread, 0, sha256(convert_to('loom:' || p_thread, 'UTF8')), 0, 'idle')
  on conflict (name) do nothing
$$;`
}

/** How this commit is flushed. A server that flushes nothing by itself is told better. */
const flush = `if p_lazy = 1 then
    flushed := set_config('synchronous_commit', 'off', true);
  elsif current_setting('synchronous_commit') = 'off' then
    flushed := set_config('synchronous_commit', 'on', true);
  end if;`

/** Who else wants to know of an append: whoever drives the thread elsewhere, or, if asked, somebody who watches threads that others drive. */
export const audiences = { nobody: 0, driver: 1, watchers: 2 } as const

const viewers = (s: string): string => `if p_ask = 1 then
    watched := exists (select 1 from ${s}.instances i where i.listening > now() - ${seconds(expiry)} and i.id <> p_here);
  end if;`
const tell = `case when watched then ${audiences.watchers} when t.instance <> p_here then ${audiences.driver} else ${audiences.nobody} end`

const lonely = 'p_lazy int, p_ask int, p_here text, p_thread text, p_id text, p_expected bigint, p_epoch bigint, p_count int, p_line text'
const summary = 'p_status text, p_agent text, p_parent text, p_wake_at double precision, p_labels text'

/** The end of a batch that is stored already: whoever sends it again expects what was expected before, so it is the one that follows (JOURNAL-2). */
const known = (s: string, { thread, id, expected }: Readonly<Record<'thread' | 'id' | 'expected', string>>): string =>
  `(select case when b.id = ${id} then b.last end from ${s}.batches b where b.thread = ${thread} and b.last > ${expected} order by b.last limit 1)`

/** One batch without blobs, which is what most commits are. */
function append(s: string): string {
  return `
create or replace function ${s}.append(${lonely}, ${summary}) returns text language plpgsql as $$
declare
  head record;
  flushed text;
  watched boolean := false;
begin
  ${flush}
  ${viewers(s)}
  loop
    update ${s}.threads t set seq = t.seq + p_count, hash = case when p_count > 0 then ${s}.link(t.hash, p_id, p_line) else t.hash end,
      status = p_status, agent = p_agent, parent = p_parent, wake_at = p_wake_at, labels = p_labels, touched = p_count = 0
      where t.name = p_thread and t.seq = p_expected and (p_epoch is null or t.epoch = p_epoch)
      returning t.id, t.seq, t.hash, ${tell} as tell into head;
    if found then
      if p_count > 0 then
        insert into ${s}.batches (thread, last, id, hash, line) values (head.id, head.seq, p_id, head.hash, p_line);
      end if;
      return '${verdicts.appended} ' || head.seq || ' ' || head.tell || ' ' || head.id || ' ' || encode(head.hash, 'hex');
    end if;
    select t.id, t.seq, t.epoch, ${known(s, { thread: 't.id', id: 'p_id', expected: 'p_expected' })} as known into head
      from ${s}.threads t where t.name = p_thread;
    if head.known is not null then
      return '${verdicts.appended} ' || head.known;
    elsif p_epoch <> coalesce(head.epoch, 0) then
      return '${verdicts.fenced} ' || coalesce(head.epoch, 0);
    elsif p_expected <> coalesce(head.seq, 0) then
      return '${verdicts.conflict} ' || coalesce(head.seq, 0);
    elsif head.id is null then
      perform ${s}.begin_thread(p_thread);
    end if;
  end loop;
end $$;`
}

const together =
  'p_lazy int, p_ask int, p_here text, p_threads text[], p_ids text[], p_expected bigint[], p_epochs bigint[], p_counts int[], p_lines text'
const summaries = 'p_statuses text[], p_agents text[], p_parents text[], p_wake_ats double precision[], p_labels text[]'
const blobs = 'p_owners int[], p_names text[], p_bytes bytea[]'

/**
 * Batches of many threads in one commit, each with a verdict of its own. No thread is in it twice.
 *
 * The heads are written by upserts: they find each row by its key, whatever the planner thinks of the table (PG-3).
 */
function appendAll(s: string): string {
  return `
create or replace function ${s}.append_all(${together}, ${summaries}, ${blobs})
returns text language plpgsql as $$
#variable_conflict use_column
declare
  fitting boolean[];
  telling int[];
  blob record;
  flushed text;
  watched boolean := false;
begin
  ${flush}
  ${viewers(s)}
  if 0 = any(p_expected) then
    perform ${s}.begin_thread(g.name) from unnest(p_threads, p_expected, p_epochs) as g(name, expected, epoch)
      where g.expected = 0 and coalesce(g.epoch, 0) = 0 and (select t.id from ${s}.threads t where t.name = g.name) is null;
  end if;
  with locked as materialized (
    select g.*, t.*, coalesce(t.seq = g.expected and (g.epoch is null or g.epoch = t.current), false) as fits
    from unnest(p_threads, p_ids, p_expected, p_epochs, p_counts, string_to_array(p_lines, E'\\n'),
      p_statuses, p_agents, p_parents, p_wake_ats, p_labels)
      with ordinality as g(name, id, expected, epoch, count, line, status, agent, parent, wake_at, labels, place)
    left join lateral (
      select t.id as thread, t.seq, t.hash, t.epoch as current, ${tell} as tell
      from ${s}.threads t where t.name = g.name limit 1 for no key update
    ) t on true
  ), linked as materialized (
    select l.*, l.seq + l.count as last, case when l.count > 0 then ${s}.link(l.hash, l.id, l.line) else l.hash end as next from locked l where l.fits
  ), stored as (
    insert into ${s}.batches (thread, last, id, hash, line) select l.thread, l.last, l.id, l.next, l.line from linked l where l.count > 0
  ), grown as (
    insert into ${s}.threads (id, name, seq, hash, epoch, status, agent, parent, wake_at, labels, touched) overriding system value
    select l.thread, l.name, l.last, l.next, l.current, l.status, l.agent, l.parent, l.wake_at, l.labels, l.count = 0 from linked l
    on conflict (name) do update set seq = excluded.seq, hash = excluded.hash, status = excluded.status, agent = excluded.agent,
      parent = excluded.parent, wake_at = excluded.wake_at, labels = excluded.labels, touched = excluded.touched
  )
  select array_agg(l.fits order by l.place), array_agg(l.tell order by l.place) into fitting, telling from locked l;
  ${storeBlobs(s)}
  ${tellVerdicts(s)}
end $$;`
}

/** The blobs of the batches that were stored: each is stored once, and counts the threads that have it. */
function storeBlobs(s: string): string {
  return `for blob in select b.name, b.owner, b.bytes from unnest(p_owners, p_names, p_bytes) as b(owner, name, bytes) order by b.name loop
    if fitting[blob.owner] then
      insert into ${s}.thread_blobs (thread, hash) select t.id, blob.name from ${s}.threads t where t.name = p_threads[blob.owner]
        on conflict do nothing;
      if found then
        insert into ${s}.blobs as b (hash, threads, digest, bytes) values (blob.name, 1, sha256(blob.bytes), blob.bytes)
          on conflict (hash) do update set threads = b.threads + 1;
      end if;
    end if;
  end loop;`
}

/** What became of each batch. Who was refused is looked at again, now that nobody else can change it: its batch may be there already. */
function tellVerdicts(s: string): string {
  return `if not false = any(fitting) then
    return (select string_agg('${verdicts.appended} ' || g.expected + g.count || ' ' || g.told, ',' order by g.place)
      from unnest(p_expected, p_counts, telling) with ordinality as g(expected, count, told, place));
  end if;
  return (select string_agg(
    case
      when fitting[g.place] then '${verdicts.appended} ' || g.expected + g.count || ' ' || telling[g.place]
      when b.last is not null then '${verdicts.appended} ' || b.last
      when g.epoch <> coalesce(t.epoch, 0) then '${verdicts.fenced} ' || coalesce(t.epoch, 0)
      when g.expected <> coalesce(t.seq, 0) then '${verdicts.conflict} ' || coalesce(t.seq, 0)
      else '${verdicts.again} 0'
    end, ',' order by g.place)
    from unnest(p_threads, p_ids, p_expected, p_epochs, p_counts) with ordinality as g(name, id, expected, epoch, count, place)
    left join lateral (select t.id, t.seq, t.epoch from ${s}.threads t where t.name = g.name and not fitting[g.place] limit 1) t on true
    left join lateral ${known(s, { thread: 't.id', id: 'g.id', expected: 'g.expected' })} b(last) on true);`
}

const here = 'p_here text, p_host text, p_pid bigint, p_started text'

/**
 * Takes a thread, or says who has it. Who asks again with the same claim has it already: the answer was lost. `p_gone` is an instance that is known to
 * be gone, though its last sign of life is young.
 *
 * The first look takes no lock: of a thousand claimants almost all are told that it is held, and write nothing.
 */
function take(s: string): string {
  return `
create or replace function ${s}.take(p_here text, p_thread text, p_worker text, p_seen bigint, p_force int, p_claim text, p_gone text)
returns table (taken int, at bigint, holder text, instance text, host text, pid bigint, started text) language plpgsql as $$
#variable_conflict use_column
declare
  head record;
  living record;
begin
  loop
    if p_seen = 0 then
      perform ${s}.begin_thread(p_thread) where not exists (select 1 from ${s}.threads t where t.name = p_thread);
    end if;
    for pass in 1 .. 2 loop
      if pass = 2 then
        perform 1 from ${s}.threads t where t.name = p_thread for no key update;
      end if;
      select t.id, t.epoch, t.worker, t.instance, t.claim into head from ${s}.threads t where t.name = p_thread;
      select i.id, i.host, i.pid, i.started into living from ${s}.instances i
        where i.id = head.instance and i.id <> p_gone and i.beat > now() - ${seconds(expiry)};
      if head.claim = p_claim then
        return query select 1, head.epoch, p_worker, p_here, null::text, null::bigint, null::text;
        return;
      elsif coalesce(head.epoch, 0) <> p_seen or (p_force = 0 and living.id is not null) then
        return query select 0, coalesce(head.epoch, 0), case when living.id is not null then head.worker end,
          living.id, living.host, living.pid, living.started;
        return;
      end if;
    end loop;
    update ${s}.threads t set epoch = t.epoch + 1, worker = p_worker, instance = p_here, claim = p_claim where t.id = head.id;
    exit when found;
  end loop;
  return query select 1, p_seen + 1, p_worker, p_here, null::text, null::bigint, null::text;
end $$;`
}

const claims = 'p_threads text[], p_workers text[], p_seen bigint[], p_forces int[], p_claims text[], p_gone text[]'

/**
 * Takes threads and leaves threads, many in one commit; a thread may be in it more than once. It is always flushed, in every mode: a server that
 * forgets an epoch would give it to two.
 */
function acquire(s: string): string {
  return `
create or replace function ${s}.acquire(${here}, ${claims})
returns table (taken int, at bigint, holder text, instance text, host text, pid bigint, started text) language plpgsql as $$
#variable_conflict use_column
declare
  p_lazy constant int := 0;
  flushed text;
begin
  ${flush}
  for i in 1 .. cardinality(p_threads) loop
    return query select * from ${s}.take(p_here, p_threads[i], p_workers[i], p_seen[i], p_forces[i], p_claims[i], p_gone[i]);
  end loop;
  if exists (select 1 from ${s}.threads t where t.name = any(p_threads) and t.instance = p_here)
    and not exists (select 1 from ${s}.instances i where i.id = p_here and i.beat > now() - ${seconds(expiry / 6)}) then
    perform ${s}.sign(p_here, p_host, p_pid, p_started, 0);
  end if;
end $$;
create or replace function ${s}.release(p_threads text[], p_epochs bigint[]) returns void language plpgsql as $$
declare
  p_lazy constant int := 0;
  flushed text;
begin
  ${flush}
  for i in 1 .. cardinality(p_threads) loop
    update ${s}.threads t set worker = null, instance = null, claim = null
      where t.name = p_threads[i] and t.epoch = p_epochs[i] and t.instance is not null;
  end loop;
end $$;`
}

/** A sign of life, and the sweeping away of those who give none. */
function sign(s: string): string {
  return `
create or replace function ${s}.sign(${here}, p_listening int) returns void language sql as $$
  delete from ${s}.instances where beat < now() - ${seconds(swept)};
  insert into ${s}.instances as i (id, host, pid, started, beat, listening)
    values (p_here, p_host, p_pid, p_started, now(), case when p_listening = 1 then now() end)
    on conflict (id) do update set beat = excluded.beat, listening = coalesce(excluded.listening, i.listening)
$$;`
}

/** Removes a thread, and the blobs that only it has. By its number: a thread that has begun anew under the name is another one. */
function remove(s: string): string {
  const own = `select o.hash from ${s}.thread_blobs o where o.thread = p_id`
  return `
create or replace function ${s}.remove(p_id bigint) returns void language plpgsql as $$
begin
  perform 1 from ${s}.threads t where t.id = p_id for update;
  perform 1 from ${s}.blobs b where b.hash in (${own}) order by b.hash for update;
  update ${s}.blobs b set threads = b.threads - 1 where b.hash in (${own});
  delete from ${s}.blobs b where b.threads < 1 and b.hash in (${own});
  delete from ${s}.thread_blobs o where o.thread = p_id;
  delete from ${s}.batches b where b.thread = p_id;
  delete from ${s}.threads t where t.id = p_id;
end $$;`
}
