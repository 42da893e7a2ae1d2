"""All lints, in the order in which their mends can be applied one after the other."""

from __future__ import annotations

from typing import Final

from minato.advisors import (
    exposure,
    extensions,
    indexes,
    integrity,
    overlaps,
    policy_cost,
    policy_rights,
    routines,
    row_security,
)
from minato.advisors.finding import Finding, Lint, Rule
from minato.advisors.snapshot import Snapshot

# Conditions of policies are mended before policies are merged, and keys are made before replica identities need them.
RULES: Final[tuple[tuple[Lint, Rule], ...]] = (
    (row_security.DISABLED, row_security.tables_without),
    (row_security.IGNORED, row_security.policies_without),
    (row_security.QUEUE, row_security.open_queues),
    (policy_rights.USER_METADATA, policy_rights.user_metadata),
    (exposure.ACCOUNTS, exposure.exposed_accounts),
    (exposure.SECRETS, exposure.sensitive_columns),
    (exposure.DEFINER_VIEW, exposure.views_of_their_owner),
    (integrity.ACCOUNT_KEY, integrity.keys_to_accounts),
    (integrity.NO_IDENTITY, integrity.without_identity),
    (policy_rights.LISTING, policy_rights.listed_buckets),
    (policy_rights.ALWAYS_TRUE, policy_rights.always_true),
    (exposure.MATERIALIZED, exposure.materialized_views),
    (exposure.FOREIGN, exposure.foreign_tables),
    (routines.MUTABLE_PATH, routines.mutable_paths),
    (routines.BY_ANON, routines.open_to_everybody),
    (routines.BY_AUTHENTICATED, routines.open_to_members),
    (extensions.IN_PUBLIC, extensions.in_public),
    (extensions.OUTDATED, extensions.outdated),
    (policy_cost.VOLATILE, policy_cost.volatile_functions),
    (policy_cost.CALLER_PER_ROW, policy_cost.callers_per_row),
    (policy_cost.FUNCTION_PER_ROW, policy_cost.functions_per_row),
    (overlaps.OVERLAP, overlaps.overlapping),
    (policy_cost.UNINDEXED, policy_cost.unindexed_columns),
    (indexes.DUPLICATE, indexes.duplicates),
    (indexes.INVALID, indexes.invalid),
    (integrity.UNLOGGED, integrity.unlogged),
    (integrity.NEAR_END, integrity.near_their_end),
    (integrity.REG_TYPES, integrity.reg_types),
    (row_security.UNANSWERED, row_security.without_policies),
    (indexes.UNINDEXED_KEY, indexes.unindexed_keys),
    (integrity.NO_KEY, integrity.without_key),
)
LINTS: Final = {lint.name: lint for lint, _ in RULES}


def advise(snapshot: Snapshot) -> list[Finding]:
    """Everything that is wrong with a database."""
    return [finding for _, rule in RULES for finding in rule(snapshot)]
