-- An entry that was carried over named the address it came from, and kept it when its owner was
-- erased. Nobody waits for the search: it holds only the few entries that it rewrites.
update suppressions
set note = regexp_replace(note, 'Carried over from .+?@\S+?(?=\. (?:On the list before|Bounced since)|$)',
  'Carried over from another address', 'g')
where note like '%Carried over from %@%';
update lifted_suppressions
set note = regexp_replace(note, 'Carried over from .+?@\S+?(?=\. (?:On the list before|Bounced since)|$)',
  'Carried over from another address', 'g')
where note like '%Carried over from %@%';
