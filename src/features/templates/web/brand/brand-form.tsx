import { Button, Select, TextInput } from '@mantine/core';
import { IconPhoto } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useImagePicker } from '#features/images/web/index.ts';
import { call, queryKeyOf, words } from '#platform/web/api.ts';
import { useLeaveGuard } from '#platform/web/components/use-leave-guard.tsx';
import { useMay } from '#platform/web/current-user.ts';
import { showNewer } from '#platform/web/query-client.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import type { KeptBrand } from '../../contract/brand.ts';
import { getBrand, putBrand } from '../../contract.ts';
import { type Brand, fonts, withBrand } from '../../rules/document/schema.ts';
import { needsEditor } from '../template-actions.ts';
import { lookColours } from '../visual/look-colours.ts';
import { ColourField, NumberField, Row } from '../visual/settings-fields.tsx';
import { ApplyToAll } from './apply-to-all.tsx';
import classes from './brand.module.css';
import { BrandPreview } from './brand-preview.tsx';

/** What a document would look like that says nothing itself. */
const lookOf = (brand: Brand) =>
  withBrand({ version: 1, language: 'en-GB', title: '', look: {}, blocks: [] }, brand).look;

const usual = lookOf({});

const isSame = (one: Brand, other: Brand): boolean =>
  JSON.stringify(Object.entries(one).toSorted()) === JSON.stringify(Object.entries(other).toSorted());

/** The brand as somebody changes it, with a small email that has it. */
export function BrandForm({ kept }: { kept: KeptBrand }) {
  const queryClient = useQueryClient();
  const mayEdit = useMay('editor');
  const [edited, setEdited] = useState<Brand | null>(null);
  const [isPending, setPending] = useState(false);
  const brand = edited ?? kept.brand;
  const isDirty = !isSame(brand, kept.brand);
  const guard = useLeaveGuard(isDirty, 'The brand');
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (isPending || !isDirty) return;
    setPending(true);
    try {
      showNewer(queryClient, queryKeyOf(getBrand), await call(putBrand, { body: brand }));
      // What was chosen meanwhile is not saved yet.
      setEdited((now) => (now === brand ? null : now));
      toastDone({
        title: 'Brand Saved',
        message:
          'New visual templates begin with it. “Apply to all templates” gives it to those that are there.',
      });
    } catch (error) {
      toastFailed({ title: 'Brand Not Saved', message: words(error, 'Please try again.') });
    } finally {
      setPending(false);
    }
  };
  return (
    <form onSubmit={(event) => void save(event)} noValidate>
      <fieldset disabled={!mayEdit} className={classes.brand}>
        <Fields brand={brand} onChange={setEdited} />
        <BrandPreview
          look={lookOf(brand)}
          logo={brand.logo}
          logoAlt={brand.logoAlt ?? ''}
          company={kept.company}
          postalAddress={kept.postalAddress}
        />
      </fieldset>
      {mayEdit ? (
        <div className={classes.buttons}>
          {Object.keys(brand).length > 0 && (
            <Button variant="subtle" color="gray" className={classes.reset} onClick={() => setEdited({})}>
              Back to the usual look
            </Button>
          )}
          <ApplyToAll isDirty={isDirty || isPending} />
          <Button
            variant="subtle"
            color="gray"
            disabled={!isDirty || isPending}
            onClick={() => setEdited(null)}
          >
            Discard
          </Button>
          <Button
            type="submit"
            variant={isDirty ? 'filled' : 'default'}
            disabled={!isDirty}
            loading={isPending}
          >
            Save brand
          </Button>
        </div>
      ) : (
        <p className={classes.why}>{needsEditor}</p>
      )}
      {guard.dialog}
    </form>
  );
}

interface FieldsProps {
  brand: Brand;
  onChange: (brand: Brand) => void;
}

function Fields({ brand, onChange }: FieldsProps) {
  const look = lookOf(brand);
  const set = (change: { [Key in keyof Brand]?: Brand[Key] | undefined }) => {
    const next = Object.entries({ ...brand, ...change }).filter(([, value]) => value !== undefined);
    onChange(Object.fromEntries(next) as Brand);
  };
  const swatches = lookColours.map(({ name }) => look[name]);
  return (
    <div className={classes.fields}>
      <Logo brand={brand} set={set} />
      {lookColours.map(({ name, label }) => (
        <ColourField
          key={name}
          label={label}
          value={brand[name]}
          placeholder={usual[name]}
          swatches={swatches}
          onChange={(colour) => set({ [name]: colour })}
        />
      ))}
      <Row label="Font">
        {(id) => (
          <Select
            size="sm"
            aria-labelledby={id}
            data={[...fonts]}
            value={look.font}
            onChange={(font) => set({ font: fonts.find((one) => one === font) })}
          />
        )}
      </Row>
      <NumberField
        label="Width"
        value={brand.width}
        placeholder={`${usual.width} px`}
        min={480}
        max={700}
        canBeEmpty
        onChange={(width) => set({ width })}
      />
      <NumberField
        label="Corners"
        value={brand.corner}
        placeholder={`${usual.corner} px`}
        min={0}
        max={24}
        canBeEmpty
        onChange={(corner) => set({ corner })}
      />
    </div>
  );
}

interface LogoProps {
  brand: Brand;
  set: (change: { logo?: string | undefined; logoAlt?: string | undefined }) => void;
}

function Logo({ brand, set }: LogoProps) {
  const images = useImagePicker();
  const choose = async () => {
    const picked = await images.pickImage();
    if (picked) set({ logo: picked.url, logoAlt: picked.alt });
  };
  return (
    <>
      <Row label="Logo">
        {() => (
          <div className={classes.logo}>
            <Button
              variant="default"
              leftSection={<IconPhoto size={16} stroke={1.6} />}
              onClick={() => void choose()}
            >
              {brand.logo ? 'Choose another logo' : 'Choose a logo'}
            </Button>
            {brand.logo && (
              <Button
                variant="subtle"
                color="gray"
                onClick={() => set({ logo: undefined, logoAlt: undefined })}
              >
                No logo
              </Button>
            )}
          </div>
        )}
      </Row>
      {brand.logo && (
        <Row label="Logo in words">
          {(id) => (
            <TextInput
              size="sm"
              aria-labelledby={id}
              value={brand.logoAlt ?? ''}
              placeholder="Your name, for those without pictures"
              onChange={({ currentTarget: { value } }) => set({ logoAlt: value })}
            />
          )}
        </Row>
      )}
      {images.picker}
    </>
  );
}
